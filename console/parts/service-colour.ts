/** Hues that differ from each other and from those of errors and of success, which are red and green. */
const hues = [205, 222, 239, 256, 273, 290, 307, 324, 50, 64, 78, 92, 188]

/** Each hue comes in two shades, because many services share few hues. In percent of lightness. */
const shades = [0, 11]

/** Returns the colour of a service. It depends on the name alone, so it is the same on every page. */
export function serviceColour(service: string): string {
  let hash = 2_166_136_261
  for (let i = 0; i < service.length; i++) hash = Math.imul(hash ^ service.charCodeAt(i), 16_777_619)
  const positive = (hash ^ (hash >>> 15)) >>> 0
  const hue = hues[positive % hues.length]
  const shade = shades[Math.floor(positive / hues.length) % shades.length]
  return `oklch(calc(var(--service-lightness) + ${shade}%) var(--service-chroma) ${hue})`
}
