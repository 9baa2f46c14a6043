// report.mjs NAME STATUS LOG RESULTS: says in a few lines what one run of the suite found. The verdict is the suite's own
// (STATUS, and the lists at the end of LOG); RESULTS holds the text of each check. Exits with 1 if the run failed.
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';

const [name, status, logFile, results] = process.argv.slice(2);
const log = readFileSync(logFile, 'utf8').replace(/\x1b\[[0-9;]*m/g, '');
const unexpected = listUnder('Unexpected failures (');
const stale = listUnder('Stale baseline entries (');
const expected = listUnder('Expected failures (');
const judged = log.includes('Baseline check passed') || unexpected.length + stale.length > 0;
const failed = status !== '0' || !judged;

console.log(
  `${name}: ${failed ? 'FAILED' : 'ok'} (${expected.length} known failures, ${unexpected.length} others, ${stale.length} stale entries)`,
);
for (const entry of unexpected) {
  console.log(`  FAILED ${entry}`);
  for (const line of faults(entry)) console.log(`         ${line}`);
}
for (const entry of stale) console.log(`  CLEAN  ${entry}: take it out of the baseline`);
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

// The suite writes one folder a scenario, `server-SCENARIO-TIME/checks.json`, and none for a scenario that threw.
function faults(entry) {
  const [scenario, checkId] = entry.split(/:(.*)/s);
  const folder = existsSync(results) ? readdirSync(results).find((it) => isOf(it, scenario)) : undefined;
  const file = folder && join(results, folder, 'checks.json');
  if (!file || !existsSync(file)) return ['the scenario threw; see the log'];
  return JSON.parse(readFileSync(file, 'utf8'))
    .filter((check) => ['FAILURE', 'WARNING'].includes(check.status) && (!checkId || check.id === checkId))
    .map((check) => `${check.status} ${check.id}: ${oneLine(check.errorMessage ?? check.description)}`);
}

function isOf(folder, scenario) {
  return folder.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '') === `server-${scenario}`;
}

function oneLine(text) {
  const line = String(text).replace(/\s+/g, ' ').trim();
  return line.length > 240 ? `${line.slice(0, 239)}…` : line;
}
