/**
 * Logging of a local cluster's processes and of the commands, set up in code so that they start fast.
 */
@NullMarked
package io.lambdafs.cluster.logging;

import org.jspecify.annotations.NullMarked;
