// The suite imports fs.globSync, which came with node 22, for a command that we never run. On node 20 the import alone
// stops it, so its `fs` gets that one name added.
import { register } from 'node:module';

const hooks = `
const fsWithGlob = 'data:text/javascript,' + encodeURIComponent(
  'export * from "node:fs"; export { default } from "node:fs"; export const globSync = undefined;');

export function resolve(specifier, context, next) {
  return specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
    ? { url: fsWithGlob, shortCircuit: true }
    : next(specifier, context);
}`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
