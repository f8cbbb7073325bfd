/**
 * The embedded engine: a {@link io.lambdafs.store.MetadataStore} on RocksDB, in process. One thread makes commits durable in
 * groups, one fsync of the write-ahead log per group, and a watermark beside the log says what was durable when the process died.
 */
@NullMarked
package io.lambdafs.store.embedded;

import org.jspecify.annotations.NullMarked;
