/** Access to a cluster's store, wherever it runs: its format, and the number of deployments it holds. */
@NullMarked
package io.lambdafs.cluster.store;

import org.jspecify.annotations.NullMarked;
