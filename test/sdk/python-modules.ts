import type { StepContext } from './step.ts'

const importAll = `
import importlib, pkgutil, tracefold
for module in pkgutil.walk_packages(tracefold.__path__, "tracefold."):
    importlib.import_module(module.name)
`

/** Imports every module of the generated package in `folder`: Python finds an undefined name only then. */
export async function importModules({ run }: StepContext, python: string, folder: string): Promise<void> {
  await run(python, ['-W', 'error', '-c', importAll], { env: { PYTHONPATH: folder } })
}
