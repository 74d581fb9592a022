// Runs a WebAssembly program: node wasi.mjs PROGRAM [ARGUMENTS]
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: process.argv.slice(2), returnOnExit: true });
const program = await WebAssembly.compile(await readFile(process.argv[2]));
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const instance = await WebAssembly.instantiate(program, imports);
process.exitCode = wasi.start(instance);
