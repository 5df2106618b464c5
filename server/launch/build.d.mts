export function sha256(content: string | Uint8Array): string
export function builtProgram(program: string): Promise<string>
export function builtFolder(
  entry: string,
  write: (entry: string, folder: string) => Promise<Record<string, string>>,
): Promise<string>
