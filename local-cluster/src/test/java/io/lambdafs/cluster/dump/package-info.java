/** Dumps and loads, on stores in this process. */
package io.lambdafs.cluster.dump;
