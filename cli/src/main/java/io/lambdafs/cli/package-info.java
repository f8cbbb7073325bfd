/**
 * The {@code lambdafs} command: what a user types, parsed, run and answered with an exit code. Results go to standard output, progress
 * and problems to standard error. {@link io.lambdafs.cli.Main} is the entry.
 */
@NullMarked
package io.lambdafs.cli;

import org.jspecify.annotations.NullMarked;
