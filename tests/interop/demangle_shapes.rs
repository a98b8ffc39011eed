// Functions with arguments of every shape that a symbol can have; each prints a backtrace.
#![feature(adt_const_params, unsized_const_params)]
#![allow(incomplete_features)]
use std::backtrace::Backtrace;
use std::collections::HashMap;
use std::hint::black_box;
use std::marker::ConstParamTy;

#[derive(PartialEq, Eq, ConstParamTy)]
enum Choice { None, Pair(u8, char), Fields { x: i32, y: bool } }

#[derive(PartialEq, Eq, ConstParamTy)]
struct Point { a: u8, b: &'static str }

#[inline(never)]
fn show() { println!("{}", Backtrace::force_capture()); black_box(()); }
#[inline(never)]
fn text<const T: &'static str>() { show(); black_box(()); }
#[inline(never)]
fn choice<const C: Choice>() { show(); black_box(()); }
#[inline(never)]
fn point<const P: Point>() { show(); black_box(()); }
#[inline(never)]
fn pair<const P: (u8, i8)>() { show(); black_box(()); }
#[inline(never)]
fn single<const P: (u8,)>() { show(); black_box(()); }
#[inline(never)]
fn array<const A: [u16; 2]>() { show(); black_box(()); }
#[inline(never)]
fn reference<const R: &'static [u8; 2]>() { show(); black_box(()); }
#[inline(never)]
fn character<const C: char>() { show(); black_box(()); }
#[inline(never)]
fn number<const N: i128>() { show(); black_box(()); }
#[inline(never)]
fn of<T: ?Sized>() { show(); black_box(()); }

mod größe {
	#[inline(never)]
	pub fn zähle<F: Fn()>(f: F) { f(); super::black_box(()); }
}

fn main() {
	text::<"a\"b\n<ü>">();
	text::<"">();
	choice::<{ Choice::None }>();
	choice::<{ Choice::Pair(1, '\'') }>();
	choice::<{ Choice::Fields { x: -3, y: true } }>();
	point::<{ Point { a: 3, b: "x" } }>();
	pair::<{ (1, -1) }>();
	single::<{ (1,) }>();
	array::<{ [1, 2] }>();
	reference::<{ &[1, 2] }>();
	character::<'"'>();
	character::<'\''>();
	character::<'\u{200b}'>();
	character::<'é'>();
	character::<'\0'>();
	number::<{ i128::MIN }>();
	number::<-5>();
	of::<dyn for<'a> Fn(&'a u8) -> &'a u8>();
	of::<for<'a, 'b> unsafe extern "C" fn(&'a u8, &'b mut u8)>();
	of::<dyn Iterator<Item = u8>>();
	of::<dyn Send + Sync>();
	of::<*const [u8]>();
	of::<fn() -> !>();
	of::<(u8,)>();
	of::<HashMap<String, Box<dyn FnMut(&str) -> Option<u8>>>>();
	größe::zähle(|| größe::zähle(show));
}
