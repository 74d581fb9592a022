extends RefCounted
## A bad network on the loopback interface: passes UDP packets between clients and a server on,
## late, in another order, and not all of them.

const HOST := "127.0.0.1"
## Packets passed on in one call of [method pump], so that it always ends.
const MOST := 4096

## How long a packet is on its way at least, in milliseconds.
var latency := 8.0
## How much longer it may be on its way, in milliseconds.
var jitter := 6.0
## The share of packets that is lost.
var loss := 0.02
var passed := 0
var lost := 0
## The bytes of all packets that were passed on.
var byte_count := 0

var _server := UDPServer.new()
var _server_port := 0
## For each client its packets, and those of the server for it.
var _lines: Array[Array] = []
## The packets on their way: when they are due, the receiver, and the bytes.
var _under_way: Array[Array] = []
var _random := RandomNumberGenerator.new()


## Opens a port whose packets go to the port of a server. Returns the port, or 0.
func open(server_port: int, random_seed: int) -> int:
	_server_port = server_port
	_random.seed = random_seed
	if _server.listen(0, HOST) != OK:
		return 0
	return _server.get_local_port()


func close() -> void:
	_server.stop()
	_lines.clear()
	_under_way.clear()


## Takes packets in, and passes those on that are due.
func pump() -> void:
	_server.poll()
	while _server.is_connection_available():
		var upstream := PacketPeerUDP.new()
		upstream.connect_to_host(HOST, _server_port)
		_lines.append([_server.take_connection(), upstream])
	for line: Array in _lines:
		_take_in(line[0] as PacketPeerUDP, line[1] as PacketPeerUDP)
		_take_in(line[1] as PacketPeerUDP, line[0] as PacketPeerUDP)
	var now := Time.get_ticks_usec() / 1000.0
	var later: Array[Array] = []
	for packet: Array in _under_way:
		if packet[0] > now:
			later.append(packet)
		else:
			(packet[1] as PacketPeerUDP).put_packet(packet[2] as PackedByteArray)
	_under_way = later


func _take_in(from: PacketPeerUDP, to: PacketPeerUDP) -> void:
	var now := Time.get_ticks_usec() / 1000.0
	for i in MOST:
		if from.get_available_packet_count() == 0:
			return
		var bytes := from.get_packet()
		if _random.randf() < loss:
			lost += 1
			continue
		passed += 1
		byte_count += bytes.size()
		_under_way.append([now + latency + _random.randf() * jitter, to, bytes])
