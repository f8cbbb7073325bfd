/**
 * {@code lambdafs bench sharing}: what it buys that short processes share the connections of one that stays. Each task is a process of its
 * own; turns without and with sharing alternate.
 */
@NullMarked
package io.lambdafs.cli.sharing;

import org.jspecify.annotations.NullMarked;
