/**
 * {@code lambdafs bench against}: this build beside another one, each with its own clients and servers, by turns. It uses only what
 * both command lines promise, so that a build of any age can be the other.
 */
@NullMarked
package io.lambdafs.benchmarks.against;

import org.jspecify.annotations.NullMarked;
