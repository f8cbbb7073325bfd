/** The measurement of the cache's memory, at a small scale. */
package io.lambdafs.cli.memory;
