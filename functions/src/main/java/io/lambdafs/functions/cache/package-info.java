/**
 * What an instance caches (the paper's §3.3): links, entries and listings in one trie of path components, bounded in bytes. Walks
 * take no lock and are validated by a version that every invalidation raises; fills publish under tickets that invalidations void.
 */
@NullMarked
package io.lambdafs.functions.cache;

import org.jspecify.annotations.NullMarked;
