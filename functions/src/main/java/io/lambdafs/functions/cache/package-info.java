/**
 * An instance's metadata cache (the paper's §3.3): links, entries and listings in one trie of path components, bounded
 * in bytes. Walks are lock-free and validated by a version that every invalidation raises; fills are published under
 * tickets that invalidations void.
 */
@NullMarked
package io.lambdafs.functions.cache;

import org.jspecify.annotations.NullMarked;
