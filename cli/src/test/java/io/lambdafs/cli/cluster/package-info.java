/** Commands about a cluster, as users type them. No test here starts one. */
package io.lambdafs.cli.cluster;
