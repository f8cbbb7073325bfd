/** The measurement of subtree operations, without a cluster. */
package io.lambdafs.cli.subtree;
