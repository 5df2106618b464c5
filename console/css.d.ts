/** The bundler takes style sheets as side effects. */
declare module '*.css'
