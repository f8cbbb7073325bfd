/**
 * Membership, leases and letters as rows of the store, so that a cluster needs no coordinator beside it (the HopsFS thesis, §4.1.8:
 * the database as shared memory). Whatever keeps the {@link io.lambdafs.store.MetadataStore} SPI can coordinate. Members show that
 * they live by counters, and everybody watches the counters; renewals are refused by a fence of the store.
 */
@NullMarked
package io.lambdafs.coordinator.store;

import org.jspecify.annotations.NullMarked;
