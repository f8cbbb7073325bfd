/**
 * The embedded store for other processes: a server in front of one store, and a client that is a
 * {@link io.lambdafs.store.MetadataStore} itself. Each method of a transaction is one message; a transaction begins with its first
 * message and ends, at the latest, with its connection.
 */
@NullMarked
package io.lambdafs.store.embedded.server;

import org.jspecify.annotations.NullMarked;
