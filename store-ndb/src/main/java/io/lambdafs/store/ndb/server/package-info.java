/** The NDB store as a process, and an NDB Cluster of a cluster's own. */
@NullMarked
package io.lambdafs.store.ndb.server;

import org.jspecify.annotations.NullMarked;
