@tool
extends RefCounted
## The plane of the agents: x and y in 2D, x and z in 3D.


## The transform of a node in 3D as seen from above.
static func flatten(transform: Transform3D) -> Transform2D:
	return Transform2D(flat(transform.basis.x), flat(transform.basis.z), flat(transform.origin))


static func flat(place: Vector3) -> Vector2:
	return Vector2(place.x, place.z)
