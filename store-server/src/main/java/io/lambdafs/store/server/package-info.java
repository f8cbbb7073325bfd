/**
 * A store for other processes: a server in front of one, and a client that is a
 * {@link io.lambdafs.store.MetadataStore} itself. Each method of a transaction is one message; a transaction begins with its first
 * message and ends, at the latest, with its connection.
 */
@NullMarked
package io.lambdafs.store.server;

import org.jspecify.annotations.NullMarked;
