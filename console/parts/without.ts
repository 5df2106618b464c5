/** Returns a value without one of its members. */
export function without<Shape extends object, Key extends keyof Shape>(shape: Shape, key: Key): Omit<Shape, Key> {
  const { [key]: _, ...rest } = shape
  return rest
}
