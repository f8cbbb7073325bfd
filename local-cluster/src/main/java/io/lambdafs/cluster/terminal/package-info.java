/**
 * What a command tells its user: results, progress, failures with their exit codes, and commands that can be pasted.
 */
@NullMarked
package io.lambdafs.cluster.terminal;

import org.jspecify.annotations.NullMarked;
