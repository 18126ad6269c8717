#!/usr/bin/env node
import { keepCompiledCode } from '../kernel/compile-cache.ts'

keepCompiledCode()
await import('./command-line.ts')
