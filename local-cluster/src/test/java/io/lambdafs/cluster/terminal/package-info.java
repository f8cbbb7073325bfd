/** Tests of the output for terminals and for scripts. */
package io.lambdafs.cluster.terminal;
