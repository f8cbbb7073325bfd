/**
 * Membership, leases and mailboxes as rows of the store, so that a cluster needs no separate coordinator (the HopsFS
 * thesis, §4.1.8: the database as shared memory). Any {@link io.lambdafs.store.MetadataStore} can coordinate. Members
 * signal liveness by counters that all others watch; renewals are refused by a fence of the store.
 */
@NullMarked
package io.lambdafs.coordinator.store;

import org.jspecify.annotations.NullMarked;
