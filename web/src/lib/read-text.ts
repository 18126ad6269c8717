/** All of a file as a text. A blob's own way is newer than the oldest browsers of the one-file way out. */
export const readText = (file: Blob): Promise<string> => new Response(file).text()
