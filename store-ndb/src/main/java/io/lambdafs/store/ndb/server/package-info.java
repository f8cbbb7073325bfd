/** The NDB store as a process, and a cluster's own NDB Cluster. */
@NullMarked
package io.lambdafs.store.ndb.server;

import org.jspecify.annotations.NullMarked;
