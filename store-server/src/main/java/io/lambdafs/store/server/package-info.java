/**
 * The remote store: a server for any engine, and a client that is itself a {@link io.lambdafs.store.MetadataStore}.
 * Each method of a transaction is one message; a transaction begins with its first message and ends, at the latest,
 * with its connection.
 */
@NullMarked
package io.lambdafs.store.server;

import org.jspecify.annotations.NullMarked;
