/**
 * Parts that the operations of a {@link io.lambdafs.functions.NameNode} share: resolved paths, rights, ids, safe mode and the
 * course of a write. The packages below hold the operations. They follow the paper's figure 5: a walk of the trie
 * answers a hit; a miss resolves the path, reads the store and fills the cache; a write locks, invalidates, commits and
 * publishes.
 */
@NullMarked
package io.lambdafs.functions.namenode;

import org.jspecify.annotations.NullMarked;
