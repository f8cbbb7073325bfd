/** What ClusterJ, NDB's own client, reaches with λFS's rows. Compiled where {@code CLUSTERJ_JAR} names its jar. */
@NullMarked
package io.lambdafs.benchmarks.stores.ndb;

import org.jspecify.annotations.NullMarked;
