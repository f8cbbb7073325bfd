/**
 * The {@code lambdafs} command: parses and runs what a user types, and ends with an exit code. Results go to standard
 * output, progress and problems to standard error. The entry point is {@link io.lambdafs.cli.Main}.
 */
@NullMarked
package io.lambdafs.cli;

import org.jspecify.annotations.NullMarked;
