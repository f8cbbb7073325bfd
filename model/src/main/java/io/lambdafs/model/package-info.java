/**
 * The nouns of λFS: paths, INodes, principals, operations, replies, errors, and the one placement function. Everything
 * here is immutable, does no I/O and depends on nothing but the JDK, so that clients, functions, stores and simulations
 * share one vocabulary.
 */
@NullMarked
package io.lambdafs.model;

import org.jspecify.annotations.NullMarked;
