/**
 * Connections shared between the processes of a user on a machine. {@link io.lambdafs.client.sharing.Sharing} is its door: what it needs of
 * this process's connections it asks of {@link io.lambdafs.client.sharing.OwnConnections}. Internal.
 */
@NullMarked
package io.lambdafs.client.sharing;

import org.jspecify.annotations.NullMarked;
