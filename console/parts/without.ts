/** Returns a value without some of its members. */
export function without<Shape extends object, Key extends keyof Shape>(shape: Shape, ...keys: Key[]): Omit<Shape, Key> {
  const kept = Object.entries(shape).filter(([name]) => !keys.includes(name as Key))
  return Object.fromEntries(kept) as Omit<Shape, Key>
}
