// The checks that a script prints, and the end of its run. Knows no client.

// A hung server must fail the run, not hang it.
setTimeout(() => {
  console.log('FAILED no end within 60 seconds');
  process.exit(1);
}, 60_000).unref();

let held = 0;
let failures = 0;

// Prints one line. A `required` check that fails ends the run: the ones after it would only repeat the failure.
export async function check(name, body, { required = false } = {}) {
  try {
    await soon(body(), 20_000);
    held += 1;
    console.log(`ok     ${name}`);
  } catch (error) {
    failures += 1;
    const cause = error?.cause ? ` (${error.cause.message ?? error.cause})` : '';
    console.log(`FAILED ${name}: ${error?.message ?? error}${cause}`);
    if (required) process.exit(1);
  }
}

export function finish() {
  console.log(failures === 0 ? `all ${held} checks held` : `${failures} checks failed`);
  // A check that failed may have left a connection, or a server, which would keep the process.
  process.exit(failures === 0 ? 0 : 1);
}

export function holds(what, condition) {
  if (!condition) throw new Error(`not so: ${what}`);
}

export function equal(what, actual, expected) {
  holds(`${what} is ${JSON.stringify(expected)}, but ${JSON.stringify(actual)}`, actual === expected);
}

export function text(result) {
  return result.content?.find((block) => block.type === 'text')?.text ?? '';
}

export async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the call succeeded');
}

// Waits for what is to come. `seen` is told if it does not.
export async function until(condition, seen = () => []) {
  for (const end = Date.now() + 5_000; !condition(); ) {
    holds(`within 5 seconds: ${condition}; heard ${JSON.stringify(seen())}`, Date.now() < end);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

// The promise's value, if it comes in time.
export async function soon(promise, milliseconds = 5_000) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
