import * as z from 'zod/mini'

// To be imported before any schema of an object is made: else its first one tries `new Function`, which the content security policy reports.
z.config({ jitless: true })
