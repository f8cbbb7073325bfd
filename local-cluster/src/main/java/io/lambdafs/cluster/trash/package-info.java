/** The command {@code trash}: what lies in the users' trash, and removing it before its time. */
@NullMarked
package io.lambdafs.cluster.trash;

import org.jspecify.annotations.NullMarked;
