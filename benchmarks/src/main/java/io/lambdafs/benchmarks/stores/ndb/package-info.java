/** Measures ClusterJ, NDB's own client, with λFS's rows. Compiled if {@code CLUSTERJ_JAR} names its jar. */
@NullMarked
package io.lambdafs.benchmarks.stores.ndb;

import org.jspecify.annotations.NullMarked;
