// What a thread of `builds.ts` begins with. Piscina loads its file with `require`, for which Node keeps nothing of a TypeScript file in its
// compile cache under the name that `import` knows: the thread would load the TypeScript stripper, some 16 MB.

export { default } from './thread.ts';
