extends RefCounted
## States of a world as they are sent: compressed, with their size before them.

const HEAD := 8
## More is refused, so that a few bytes cannot ask for all memory.
const MAX_BYTES := 1 << 29


static func pack(state: PackedByteArray) -> PackedByteArray:
	var packed := PackedByteArray()
	packed.resize(HEAD)
	packed.encode_s64(0, state.size())
	if not state.is_empty():
		packed.append_array(state.compress(FileAccess.COMPRESSION_ZSTD))
	return packed


## What [method pack] was given; empty if the bytes are not sound.
static func unpack(packed: PackedByteArray) -> PackedByteArray:
	if packed.size() <= HEAD:
		return PackedByteArray()
	var size := packed.decode_s64(0)
	if size <= 0 or size > MAX_BYTES:
		return PackedByteArray()
	return packed.slice(HEAD).decompress(size, FileAccess.COMPRESSION_ZSTD)
