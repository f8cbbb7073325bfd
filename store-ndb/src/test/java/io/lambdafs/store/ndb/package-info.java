@NullMarked
package io.lambdafs.store.ndb;

import org.jspecify.annotations.NullMarked;
