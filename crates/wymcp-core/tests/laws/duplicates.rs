//! A message in which any member stands twice is refused, however the second one is spelled.

use proptest::{prelude::*, sample::Index};
use wymcp_core::RejectionReason;

use crate::{
    generators::{Request, call, json_value},
    naive::Naive,
    oracle::{answer, refusal},
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_doubled_member_is_refused_wherever_it_stands(
        arguments in json_value(),
        object in any::<Index>(),
        member in any::<Index>(),
        place in any::<Index>(),
        other in proptest::option::of(json_value()),
        escaped in any::<bool>(),
    ) {
        let message = call(7.into(), "echo", serde_json::json!({"x": arguments}));
        let request = Request::of(&message);
        let mut message = Naive::read(&request.body).unwrap();
        double(&mut message, object, member, place, other.map(|value| Naive::read(value.to_string().as_bytes()).unwrap()));
        let body = spell(&message, escaped);
        prop_assert_eq!(Naive::read(body.as_bytes()), Some(message));

        let reply = answer(&request.head(), body.as_bytes());
        prop_assert_eq!(refusal(&reply), Some(RejectionReason::DuplicateMember), "{}", body);
    }
}

/// Doubles a member of one of the objects that have any.
fn double(message: &mut Naive, object: Index, member: Index, place: Index, other: Option<Naive>) {
    let count = count(message);
    let members = find(message, &mut object.index(count)).expect("counted");
    let (name, value) = member.get(members).clone();
    let place = place.index(members.len() + 1);
    members.insert(place, (name, other.unwrap_or(value)));
}

fn children(value: &mut Naive) -> Vec<&mut Naive> {
    match value {
        Naive::Array(items) => items.iter_mut().collect(),
        Naive::Object(members) => members.iter_mut().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    }
}

/// The number of objects that have members.
fn count(value: &mut Naive) -> usize {
    usize::from(matches!(value, Naive::Object(members) if !members.is_empty()))
        + children(value).into_iter().map(count).sum::<usize>()
}

/// The members of one of those objects, by its position in the text.
fn find<'m>(value: &'m mut Naive, left: &mut usize) -> Option<&'m mut Vec<(String, Naive)>> {
    if matches!(value, Naive::Object(members) if !members.is_empty()) {
        if *left == 0 {
            let Naive::Object(members) = value else {
                return None;
            };
            return Some(members);
        }
        *left -= 1;
    }
    children(value)
        .into_iter()
        .find_map(|child| find(child, left))
}

/// JSON text in which the names of doubled members are spelled with escapes from the second time on, if asked.
fn spell(value: &Naive, escaped: bool) -> String {
    match value {
        Naive::Null => "null".to_owned(),
        Naive::Bool(flag) => flag.to_string(),
        Naive::Number(number) => number.to_string(),
        Naive::String(text) => serde_json::to_string(text).unwrap(),
        Naive::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| spell(item, escaped)).collect();
            format!("[{}]", items.join(","))
        }
        Naive::Object(members) => {
            let spelled = members.iter().enumerate().map(|(position, (name, value))| {
                let again = members[..position]
                    .iter()
                    .any(|(earlier, _)| earlier == name);
                let name = if again && escaped {
                    let units = name.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
                    format!("\"{}\"", units.collect::<String>())
                } else {
                    serde_json::to_string(name).unwrap()
                };
                format!("{name}:{}", spell(value, escaped))
            });
            format!("{{{}}}", spelled.collect::<Vec<_>>().join(","))
        }
    }
}
