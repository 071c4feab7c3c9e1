// Measures how long load() of the npm package in bin/js takes, each time in a new process:
// node tools/js-start.mjs [RUNS]. The time on the clock depends on what else the machine does;
// the time of the processor, which Linux tells, hardly does.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const counter = `/proc/self/task/${process.pid}/schedstat`;
const processor = () => (existsSync(counter) ? Number(readFileSync(counter, "utf8").split(" ")[0]) / 1e6 : NaN);

if (process.argv[2] === "once") {
  const { load } = await import("../bin/js/index.js");
  const [clock, used] = [performance.now(), processor()];
  await load();
  console.log(JSON.stringify([performance.now() - clock, processor() - used]));
} else {
  const runs = Array.from({ length: Number(process.argv[2] ?? 15) }, () => JSON.parse(execFileSync(process.execPath, [import.meta.filename, "once"], { encoding: "utf8" })));
  for (const [i, name] of ["on the clock", "of the main thread's processor time"].entries()) {
    const sorted = runs.map((r) => r[i]).sort((a, b) => a - b);
    if (sorted[0] === null) continue; // not Linux
    console.log(`load() took ${sorted[0].toFixed(0)} ms ${name} at best, ${sorted[sorted.length >> 1].toFixed(0)} in the median`);
  }
}
