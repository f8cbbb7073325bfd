/**
 * The nouns of λFS: paths, errors and their encoding here; INodes, blocks and operations in the packages below.
 * Everything here is immutable, does no I/O and depends on nothing but the JDK, so that clients, functions, stores and
 * simulations share one vocabulary.
 */
@NullMarked
package io.lambdafs.model;

import org.jspecify.annotations.NullMarked;
