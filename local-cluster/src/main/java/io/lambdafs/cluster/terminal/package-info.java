/** Terminal output of commands: results, progress, failures with exit codes, and pasteable commands. */
@NullMarked
package io.lambdafs.cluster.terminal;

import org.jspecify.annotations.NullMarked;
