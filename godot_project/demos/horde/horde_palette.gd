class_name HordePalette
extends RefCounted
## The colours of the horde demo.

const BACKGROUND := Color("07080d")
const PLAYER := Color("8fe9ff")
const BLADE := Color("d8fbff")
const BOLT := Color("ffc95c")
const NOVA := Color("7fd4ff")
const WALKER := Color("93cf63")
const RUNNER := Color("ff8742")
const BRUTE := Color("b77bff")
const HEALTH := Color("ff5d6c")
const EXPERIENCE := Color("5b8cff")
const HORDE := Color("ffae4d")
const GOOD := Color("6fe3a5")
const TEXT := Color("eef1fa")
const MUTED := Color("9aa5c2")
const TRACK := Color(0.03, 0.04, 0.07, 0.72)
