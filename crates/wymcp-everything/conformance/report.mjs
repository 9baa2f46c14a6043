// report.mjs NAME STATUS LOG RESULTS [CHECKS]: says in a few lines what one run of the suite found. The verdict is the
// suite's own (STATUS, and the lists at the end of LOG), and the counts in the file CHECKS; RESULTS holds each check.
// Exits with 1 if the run failed.
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';

const [name, status, logFile, results, checksFile] = process.argv.slice(2);
const log = readFileSync(logFile, 'utf8').replace(/\x1b\[[0-9;]*m/g, '');
const unexpected = listUnder('Unexpected failures (');
const stale = listUnder('Stale baseline entries (');
const expected = listUnder('Expected failures (');
const judged = log.includes('Baseline check passed') || unexpected.length + stale.length > 0;
const ran = scenarios();
const changed = checksFile ? changes(readFileSync(checksFile, 'utf8')) : [];
const failed = status !== '0' || !judged || changed.length > 0;
const passed = [...ran.keys()].reduce((sum, scenario) => sum + passedIn(scenario), 0);

console.log(
  `${name}: ${failed ? 'FAILED' : 'ok'} (${ran.size} scenarios, ${passed} checks passed; ` +
    `${expected.length} known failures, ${unexpected.length} others, ${stale.length} stale entries)`,
);
for (const entry of unexpected) {
  console.log(`  FAILED ${entry}`);
  for (const line of faults(entry)) console.log(`         ${line}`);
}
for (const entry of stale) console.log(`  CLEAN  ${entry}: take it out of the baseline`);
for (const line of changed) console.log(`  COUNT  ${line}`);
if (!judged) console.log(log.trim().split('\n').slice(-10).map((line) => `  ${line}`).join('\n'));
process.exitCode = failed ? 1 : 0;

// The suite ends its log with titled lists, an item a line: `  ✗ scenario` or `  ✗ scenario:check`.
function listUnder(title) {
  const lines = log.split('\n');
  const start = lines.findIndex((line) => line.startsWith(title));
  if (start < 0) return [];
  const items = [];
  for (const line of lines.slice(start + 1)) {
    const item = /^ {2}[~✓✗] (\S+)$/.exec(line);
    if (!item) break;
    items.push(item[1]);
  }
  return [...new Set(items)];
}

// The checks of each scenario. The suite writes one folder a scenario, `server-SCENARIO-TIME/checks.json`, and none for a
// scenario that threw.
function scenarios() {
  const found = new Map();
  for (const folder of existsSync(results) ? readdirSync(results) : []) {
    const [, scenario] = /^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder) ?? [];
    const file = join(results, folder, 'checks.json');
    if (scenario && existsSync(file)) found.set(scenario, JSON.parse(readFileSync(file, 'utf8')));
  }
  return found;
}

// What differs from the counts, `SCENARIO COUNT` a line. `-` stands for a scenario that the server does not claim.
function changes(counts) {
  const lines = counts.split('\n').filter((line) => line && !line.startsWith('#'));
  const wanted = new Map(lines.map((line) => line.split(' ')));
  const unknown = [...ran.keys()].filter((scenario) => !wanted.has(scenario));
  const differences = unknown.map((scenario) => `${scenario}: is new`);
  for (const [scenario, count] of wanted) {
    if (!ran.has(scenario)) differences.push(`${scenario}: did not run`);
    else if (count !== '-' && passedIn(scenario) !== Number(count))
      differences.push(`${scenario}: ${passedIn(scenario)} checks passed, not ${count}`);
  }
  return differences;
}

function passedIn(scenario) {
  return ran.get(scenario).filter((check) => check.status === 'SUCCESS').length;
}

function faults(entry) {
  const [scenario, checkId] = entry.split(/:(.*)/s);
  const checks = ran.get(scenario);
  if (!checks) return ['the scenario threw; see the log'];
  return checks
    .filter((check) => ['FAILURE', 'WARNING'].includes(check.status) && (!checkId || check.id === checkId))
    .map((check) => `${check.status} ${check.id}: ${oneLine(check.errorMessage ?? check.description)}`);
}

function oneLine(text) {
  const line = String(text).replace(/\s+/g, ' ').trim();
  return line.length > 240 ? `${line.slice(0, 239)}…` : line;
}
