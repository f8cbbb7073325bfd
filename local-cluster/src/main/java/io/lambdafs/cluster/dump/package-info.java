/**
 * A store's rows as files, and back: a snapshot becomes lines of JSON in checksummed segments, which other programs can
 * read, and which can fill a store of any engine.
 */
@NullMarked
package io.lambdafs.cluster.dump;

import org.jspecify.annotations.NullMarked;
